"""Reports of findings as people read them: one screen of text, and one page of HTML."""
