"""What pages of several kinds of results share: verdicts, tables, causes, boards, divides."""
