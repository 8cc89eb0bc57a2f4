    """Compute the same formula with PyTorch's own operators, which run one kernel each.
{% if item.written %}

    The reference writes to no argument. It returns the values that `{{ item.name }}`
    writes, in the order of the arguments{{ ', then the values that it returns' if item.results }}.
{% endif %}

    The tests compare `{{ item.name }}` with this function.
    """
    {{ item.reference | join('\n    ') }}
