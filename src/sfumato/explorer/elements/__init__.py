"""Elements of HTML as the pages use them: native controls, labelled, that a keyboard reaches."""
