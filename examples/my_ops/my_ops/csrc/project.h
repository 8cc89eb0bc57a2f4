// The namespace of this package, in which the headers of kit/ declare everything.
#pragma once
#define KIT_NAMESPACE my_ops
