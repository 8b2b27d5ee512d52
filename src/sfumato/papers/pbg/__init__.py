"""Tables and figures of the paper on property based generalizations."""
