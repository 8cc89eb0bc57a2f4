  if ({{ differentiated }}) {
    static const auto reference_op = find_op("{{ project }}::{{ item.name }}_reference", {{ item.name }});
    return reference_op.call({{ item.names | join(', ') }});
  }
