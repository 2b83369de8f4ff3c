"""The checks of a fuzzing run: each looks at one place and yields what is wrong there."""
