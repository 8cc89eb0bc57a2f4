    check_dtype("{{ item.name }}", "{{ item.first }}", {{ item.first }}, {{ item.dtype_strings }})
    check_channels("{{ item.name }}", "{{ item.first }}", {{ item.first }}, {{ constants | default('') }}CHANNELS_IN)
