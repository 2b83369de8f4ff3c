"""Lists of moves by GenType, as other generators make them: conventions guessed, differences explained."""
