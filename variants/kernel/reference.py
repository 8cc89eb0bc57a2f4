    """Compute the same formula with PyTorch's own operators, which run one kernel each.{{ '

    The reference writes to no argument. It returns the values that `%s`
    writes, in the order of the arguments%s.' % (item.name, ', then the values that it returns' if item.results)
  if item.written }}

    The tests compare `{{ item.name }}` with this function.
    """
    {{ item.reference | join('\n    ') }}
