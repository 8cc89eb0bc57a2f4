
# EDIT: the channels of a pixel, as in {{ item.name }}.h.
CHANNELS_IN = 3
CHANNELS_OUT = 1
