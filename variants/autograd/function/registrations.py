

# `torch.ops` runs the public function at the Autograd key, so the operator is differentiable there
# too. The operator without its gradient has nothing at that key; the fallthrough says so, and saves
# PyTorch's own warning kernel on each call. Registrations last as long as this object.
_registrations = torch.library.Library("{{ project }}", "IMPL")
_registrations.impl("{{ item.name }}", {{ item.name }}, "Autograd")
_registrations.impl("{{ item.name }}_forward", torch.library.fallthrough_kernel, "Autograd")
