"""SVG pictures: boards, for pages and alone, and terminals; drawn alike by browsers and by other programs."""
