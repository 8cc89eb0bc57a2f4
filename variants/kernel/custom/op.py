{# Blocks see the macros that the extended file imports, and its given_names. #}
{% extends pathjoin('variants', 'kernel', 'op.py') %}
{% from pathjoin('languages', 'py_shapes.jinja') import checks, new_results, new_tensors, results, sizes, tuple
  with context %}
{% from pathjoin('languages', 'py.jinja') import unpacked %}
{% from pathjoin('variants', 'kernel', 'custom', 'described.jinja') import argument, returned %}
{% set fake = '_fake' if '_fake' not in item.given_names
  else '%s.of_module("%s", "_fake")' % (item.bindings, item.name) %}
{% set made_results = '«%s»' % (unpacked(item.results) if item.op_listed else item.results | join(', ')) %}
{# Lists of tensors, as a pattern. #}
{% set of_list = '^(%s)$' % item.lists | join('|') %}
{% block constants %}
{% if not item.fixed %}

# EDIT: the dtypes of {{ item.dtypes_of ~ (' to compile the kernel for' if build == 'nvrtc'
  else ', the same as in csrc/%s/%s_args.h' % (item.name, item.name)) }}.
{{ item.variables[0].list }} = [‹{{ item.torch_dtypes }}›]
{% for x in item.variables[1:] %}
{{ x.list }} = [‹{{ x.dtypes | map('regex_replace', '^', 'torch.') | join(', ') }}›]
{% endfor %}
{% endif %}

# EDIT: True if several threads add floating-point numbers to one element, in an order that varies.
ADDS_ATOMICALLY = False
{% if build != 'nvrtc' %}

# EDIT: False if there is no kernel for the CPU. The operator then runs the reference on the CPU.
HAS_CPU_KERNEL = True
{% endif %}
{% endblock %}
{% block docstring %}
    """Compute {{ item.summary }}.

    Args:
{% for arg in item.args %}
        {{ argument(item, arg) | wordwrap(92, false, '\n' ~ ' ' * (10 + arg.name | length), false) }}
{% endfor %}

    Returns:
{{ '        A list:\n' if item.listed -}}
{% for name in item.returned %}
        {{ returned(item, name) | wordwrap(92, false, '\n' ~ ' ' * 8, false) }}
{% else %}
        Nothing.
{% endfor %}
{% if item.sized %}
        {{ ('The kernel counts %s. Reading %s waits for the GPU, as `torch.nonzero` does, so a CUDA graph cannot '
          'record the call. torch.compile does not break its graph with '
          '`torch._dynamo.config.capture_dynamic_output_shape_ops = True`.' % (item.sized | join(' and '),
          'them' if item.sized | length > 1 else 'it')) | wordwrap(92, false, '\n' ~ ' ' * 8, false) }}
{% endif %}
{% if item.as_numbers %}
        {{ ('The kernel writes the number%s, which `torch.ops.%s.%s` returns. Reading a number waits for the GPU, '
          'so a CUDA graph cannot record the call. torch.compile does not break its graph with '
          '`torch._dynamo.config.capture_scalar_outputs = True`.' % ('s to tensors' if item.as_numbers | length > 1
          else ' to a tensor', project, item.name)) | wordwrap(92, false, '\n' ~ ' ' * 8, false) }}
{% endif %}

    Raises:
        RuntimeError: A tensor has a shape or dtype that the signature does not accept, or is on
            another device. The message names the argument and its value.
{% if item.written %}
        RuntimeError: {{ 'A written argument is not contiguous or shares memory with another argument,
            or an argument requires a gradient.' if item.written | rejectattr('name', 'in', item.strided) | list
          else 'A written argument shares memory with another argument or with itself, or an
            argument requires a gradient.' }}
{% endif %}
{% include pathjoin('variants', 'kernel', 'raises.py') %}
    """
{% endblock %}
{% block reference %}
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
{% set value = '%s%s.view(%s.shape).to(%s.dtype)' % (item.start, '[: x.numel()]' if of_lists, one, one) if item.source
  else 'torch.zeros_like(%s)' % one %}
{% set most = own('most_elements', given_names) %}
{% set lines = [
  '%s = %s(x.numel() for x in %s)' % (most, 'sum' if 'max' in given_names else 'max', name)
    if item.source and of_lists,
  '%s = torch.nn.functional.pad(‹%s.flatten()%s, (0, %s - %s.numel())›)' % (item.start, item.source,
    '.float()' if item.source_type.startswith('c10::Float8'), most if of_lists else name ~ '.numel()', item.source)
    if item.source,
  ('return ' if returned_at_once and name not in item.absent else name ~ ' = ')
    ~ ('[%s for x in %s]' % (value, name) if of_lists else value),
] | select | join('\n') %}
    {{ ('if %s is not None:\n' % name ~ lines | indent(4, true) if name in item.absent else lines) | indent(4) }}
{% endfor %}
{% endif %}
{{ ('    return [‹%s›]\n' if item.op_listed else '    return «%s»\n') % item.outputs | join(', ')
  if not returned_at_once or item.absent -}}
{% endblock %}
{% block fake %}
{{ '    _checks.check_defined(‹"%s", %s›)\n' % (item.name, named(item.required)) if item.required -}}
{{ check_lengths(item) | regex_replace('(?m)^(?=.)', '    ') -}}
{{ '    ' }}{{ checks(item.name, item.shapes) | trim | indent(4) }}
{{ results(item.shapes, item.op_listed) | regex_replace('(?m)^(?=.)', '    ') if item.results -}}
{% endblock %}
{% block after %}


_checks.before_kernel(‹[{{ ['_op', '_forward_op', '_unwritten_op'][:item.passes[0].registered | length]
  | join(', ') }}], "{{ item.name }}", ADDS_ATOMICALLY{{
  ', HAS_CPU_KERNEL, _fake, %s_reference' % item.name if build != 'nvrtc' }}{{ ', sized=[‹%s›]' % item.sized
  | map('to_json') | join(', ') if item.sized and build != 'nvrtc' }}›)
{% if build == 'nvrtc' %}


# EDIT: how the kernel is launched.
def _call(‹{{ item.args | join(', ', 'typed') }}›) -> {{ item.bindings }}.CustomCall:
    """Return the struct of {{ item.name }}_args.h, and the blocks and threads of the launch."""
{% set given = sizes(item.shapes) | regex_replace('(?m)^(?=.)', '    ') %}
{% if item.sized %}
    {{ made_results }} = {{ fake }}(‹{{ arguments(item.args) }}, {{ item.sized | join('=0, ') }}=0›)
{{ given -}}
{{ ('    # EDIT: the largest %s: results are allocated with this size and then cut to the size that the kernel counts.'
  % item.sized | join(' and ')) | wordwrap(100, false, '\n    # ', false) }}
{% for most in item.shapes.counted %}
    {{ most.name }} = {{ most.text }}
    {{ most.count }} = {{ item.typed }}.new_zeros((), dtype=torch.int64)
{% endfor %}
{% endif %}
{{ '    # EDIT: call .zero_() on a result that threads add to.\n' if item.results -}}
{% for x in item.cut | unique(case_sensitive=true, attribute='name') %}
    {{ 'if %s is not None:\n        ' % x.name if x.when }}{{ x.name }}.resize_(‹{{ x.resized }}›)
{% else %}
    {{ made_results ~ ' = ' if item.results }}{{ fake }}(‹{{ arguments(item.args) }}›)
{% endfor %}
{{ given if not item.sized -}}
{% for x in item.inputs if x.name not in item.strided %}
    {{ 'if %s is not None:\n        ' % x.name if x.optional }}{{ x.name }} = {{
      ('[x.contiguous() for x in %s]' if x.list else '%s.contiguous()') % x.name }}
{% endfor %}
{% set memory = item.shapes.tensors | selectattr('scratch') | list %}
{{ '    # Scratch memory. EDIT: call .zero_() if it must start as zeros.\n' if memory -}}
{% for name in item.shapes.asked %}
    {{ name }} = 0  # EDIT: the size that the kernel needs
{% endfor %}
{{ new_tensors(memory, item.shapes) | regex_replace('(?m)^(?=.)', '    ') -}}
{% if item.written %}
{% set written = item.written | map(attribute='name') | list %}
    {{ item.bindings }}.check_written(‹"{{ item.name }}", [‹{{ item.inputs | map(attribute='name')
      | map('regex_replace', of_list, '*\\1') | join(', ') }}›], [‹{{ item.strided
      | select('in', written) | map('to_json') | join(', ') }}›], {{ '{‹%s›}, ' % item.over_in_python
      if item.over }}{{ named(written) }}›)
{% endif %}
    {{ '# EDIT: the number of threads.\n    ' if not item.by_rows }}{{ item.counted }} = {{
      item.num_threads_in_python }}
{% if item.by_rows %}
{% set launch = own('launch', given_names) %}
    {{ launch }} = {{ item.bindings }}.row_call(‹"{{ item.name }}", {{ item.typed }}, {{ item.counted }}, {{
      item.columns }}, [‹{{ item.of_element | map(attribute='dtype') | unique | join(', ') }}›], [‹{{ item.rows
      | rejectattr('kind', 'equalto', 'row') | join(', ', 'name') }}›], once={{ item.once }}›)
{% endif %}
    return {{ item.bindings }}.CustomCall(
{% if not item.by_rows %}
        grid=(-(-{{ item.counted }} // 256), 1, 1),
        block=(256, 1, 1),
{% endif %}
        first={{ item.typed }},
        dtypes={{ tuple(item.variables | map(attribute='value.py') | map('regex_replace', '^\\((.*)\\)$', '\\1')
          | list) }},
        outputs=[‹{{ item.outputs | map('regex_replace', of_list, '*\\1') | join(', ') }}›],
        result={{ 'None' if not item.results else '[‹%s›]' % item.results | join(', ') if item.op_listed
          else item.results[0] if item.results | length == 1 else '(‹%s›)' % item.results | join(', ') }},
        struct=[‹{{ item.fields | join(', ', 'in_python') }}›],
{% if item.by_rows %}
        **{{ launch }},
{% elif item.sized | length == 1 and not item.cut | map(attribute='at') | sum and not item.cut | selectattr('when')
  | list %}
        count={{ item.shapes.counted[0].count }},
        sized=[‹{{ item.cut | map(attribute='name') | join(', ') }}›],
{% elif item.sized %}
        # Each count, and the results that have this size, with its dimension.
        counted=[
{% for most in item.shapes.counted %}
            (‹{{ most.count }}, [{{ item.cut | selectattr('size', 'equalto', most.size) | join(', ', 'in_python') }}]›),
{% endfor %}
        ],
{% endif %}
    )
{% endif %}
{% endblock %}
