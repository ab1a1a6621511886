"""Numbers as they are written today, by threes; Django leaves Chinese ones ungrouped."""

THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
