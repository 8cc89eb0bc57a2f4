{% if not item.fixed %}

# EDIT: the dtypes of {{ item.dtypes_of ~ (' to compile the kernel for' if build == 'nvrtc'
  else ', the same as in csrc/%s/%s_args.h' % (item.name, item.name)) }}.
{% for x in item.variables %}
{{ x.list }} = [‹{{ x.dtypes | map('regex_replace', '^', 'torch.') | join(', ') }}›]
{% endfor %}
{% endif %}

# EDIT: True if several threads add floating-point numbers to one element, in an order that varies.
ADDS_ATOMICALLY = False
{% if build != 'nvrtc' %}

# EDIT: False if there is no kernel for the CPU. The operator then runs the reference on the CPU.
HAS_CPU_KERNEL = True
{% endif %}
