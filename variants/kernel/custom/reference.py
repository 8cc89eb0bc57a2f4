{% from pathjoin('languages', 'py_shapes.jinja') import new_results with context %}
    """Compute the same with PyTorch's own operators; the tests compare the two.{{ '

    The reference writes to no argument. It returns the values that `%s`
    writes, in the order of the arguments%s.
    ' % (item.name, ', then the values that it returns' if item.results) if item.written }}"""
{% set returned_at_once = item.outputs | length == 1 and not item.op_listed %}
{% if item.by_rows %}
{% set wide = '' if not item.source_fixed or item.source_fixed in ['float32', 'float64'] else '.double()'
  if item.value_type == 'double' else '.float()' %}
    {{ item.largest }} = torch.nn.functional.pad({{ item.source }}{{ wide }}.abs(), (0, 1)).amax(-1)
{{ '    %s = %s%s * %s.unsqueeze(-1)\n' % (item.scaled, item.source, wide, item.largest) if item.elements -}}
{% for x in item.rows if x.write %}
    {{ 'if %s is not None:\n        %s =' % (x.name, x.name) if x.optional
      else 'return' if returned_at_once else x.name ~ ' =' }} {{ item.largest if x.kind == 'row'
      else item.scaled }}.to({{ x.dtype }})
{% endfor %}
{% else %}
{{ new_results(item.shapes) | regex_replace('(?m)^(?=.)', '    ') if item.results -}}
{% for name in item.outputs %}
{% set of_lists = name in item.lists %}
{% set one = 'x' if of_lists else name %}
{% set value = '%s%s.view(%s.shape).to(‹%s.dtype›)' % (item.start, '[: x.numel()]' if of_lists, one, one) if item.source
  else 'torch.zeros_like(%s)' % one %}
{% set most = own('most_elements', given_names) %}
{% set lines = [
  '%s = %s(x.numel() for x in %s)' % (most, 'sum' if 'max' in given_names else 'max', name)
    if item.source and of_lists,
  '%s = torch.nn.functional.pad(‹%s.flatten()%s, (0, %s - %s.numel())›)' % (item.start, item.source,
    '.float()' if item.source_type.startswith('c10::Float8'), most if of_lists else name ~ '.numel()', item.source)
    if item.source,
  ('return ' if returned_at_once and name not in item.absent else name ~ ' = ')
    ~ ('[«%s for x in %s»]' % (value, name) if of_lists else value),
] | select | join('\n') %}
    {{ ('if %s is not None:\n' % name ~ lines | indent(4, true) if name in item.absent else lines) | indent(4) }}
{% endfor %}
{% endif %}
{{ ('    return [‹%s›]\n' if item.op_listed else '    return «%s»\n') % item.outputs | join(', ')
  if not returned_at_once or item.absent -}}
