{% set like = 'with the shape, dtype and device of `' ~ first ~ '`' %}
{% set meaning = {'Tensor': 'Tensor ' ~ like ~ '.', 'Tensor?': 'Tensor ' ~ like ~ ', or None to leave it out.'} %}
{% set own_like = like if not item.dtype else 'with the shape and device of `' ~ first ~ '`, in the dtype `'
  ~ item.dtype ~ '`' %}
{% set kind = 'new ' if item.layout == 'dense' else 'new contiguous ' %}
{% set kept = item.returned | reject('in', item.results) | list %}
{% set one = item.returned == item.results and item.results | length == 1 %}
{% set returns = (['`%s`, which %s written to.' % (kept | join('`, `'), 'is' if kept | length == 1 else 'are')] if kept
    else [])
  + (['A %stensor %s.' % (kind, own_like) if one
    else '`%s`, a %stensor %s.' % (item.results[0], kind, own_like) if item.results | length == 1
    else '`%s`, %stensors %s.' % (item.results | join('`, `'), kind, own_like)] if item.results else [])
  + (['%s the strides of `torch.empty_like(%s)`.' % ('It has' if one else 'They have', first)]
    if item.layout == 'dense' else [])
  + ['16-bit types are computed in float32 and rounded once.'] if item.returned
  else ['Nothing. 16-bit types are computed in float32 and rounded once.'] %}
    """{{ 'Compute' if item.results else 'Write' }} {{ item.summary }}{{
      (', and write to' if item.results else ' to') ~ ' `%s`' % item.written | join('`, `', 'name') if item.written
    }}, on CPU or GPU.

    Args:
{% for arg in item.args %}
        {{ arg.name }}: {{ (('Contiguous tensor' if arg.write else 'Tensor')
          ~ ' of any shape, in float32, float64, float16 or bfloat16' ~ (', to write to.' if arg.write else '.'))
          if arg.name == first
          else 'Contiguous tensor %s%s.' % (like, ' to write to, or None' if arg.optional else ', which is written to')
          if arg.write
          else 'Dtype of the result%s: float32, float64, float16 or bfloat16%s.' % ('s' if item.results[1:] else '',
            ', or None for the dtype of `%s`' % first if arg.optional else '') if arg.name == item.dtype
          else meaning_of_number(arg, ', the same for all elements', 'Counts as 1 if true, else as 0.') if arg.number
          else meaning[arg.type] | default('Not in the formula yet.') }}
{% endfor %}

    Returns:
        {{ returns | join('\n        ') }}

    Raises:
        RuntimeError: {{ 'A tensor has an unsupported dtype, or differs in shape, dtype or device from
            `%s`. The message names the argument and its value.' % first if item.others
              or item.args | selectattr('tensor') | list | length > 1
          else '`%s` has an unsupported dtype, which the message names.' % first }}
{% if item.written %}
        RuntimeError: A written tensor is not contiguous{{ ', shares memory with another argument, or
            requires a gradient' if item.autograd != 'none' else ' or shares memory with another argument, or
            an argument requires a gradient' }}.
{% endif %}
