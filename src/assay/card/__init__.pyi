from assay.card.write import card_markdown as card_markdown
from assay.card.write import write_card as write_card
