"""The file in which a count by pieces is kept: pieces, results, who has counted, what was counted again."""
