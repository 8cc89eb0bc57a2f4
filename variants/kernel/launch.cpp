#ifdef USE_CUDA
    const DeviceGuard guard({{ first }}.get_device());
    const cudaError_t error = launch_{{ pass.name }}({{ launch_data }}, current_stream({{ first }}));
    check_launch(error);
#else
    built_without_cuda("{{ item.name }}");
#endif
  });
{% for line in pass.after | default([]) %}
  {{ line }}
{% endfor %}
{% for value in pass.returned %}
  return {{ value }};
{% endfor %}
}
