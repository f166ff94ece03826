// Errors, containers, hashes.
#include "base/container.h"
#include "base/errors.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/process.h"
#include "base/scratch.h"
#include "base/utf8.h"
#include "bind/bind.h"

namespace dragoman::bind {
namespace {

// Whatever a file put into a message, it can be raised.
nb::object text(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

// Raises dragoman.errors.<name>(message, field): the Python classes are the ones users catch.
template <class... Fields>
void raise(const char* name, const Error& error, Fields&&... fields) {
  nb::object type = nb::module_::import_("dragoman.errors").attr(name);
  nb::object instance = type(text(error.what()), std::forward<Fields>(fields)...);
  PyErr_SetObject(type.ptr(), instance.ptr());
}

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const FormatError& e) {
    raise("FormatError", e, text(e.path()), e.offset());
  } catch (const ConfigError& e) {
    raise("ConfigError", e, text(e.option()));
  } catch (const InputError& e) {
    raise("InputError", e, e.line());
  } catch (const IoError& e) {
    // OSError(errno, text, path) picks its own subclass: FileNotFoundError, IsADirectoryError, ...
    nb::object type = nb::borrow(PyExc_OSError);
    nb::object why = nb::module_::import_("os").attr("strerror")(e.code());
    nb::object instance = type(e.code(), why, text(e.path()));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(instance.ptr())), instance.ptr());
  } catch (const Cancelled&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

nb::dict describe(const Container& container) {
  nb::dict sections;
  for (const Section& section : container.sections()) sections[section.name.c_str()] = section.bytes.size();
  nb::dict described;
  described["kind"] = container.kind();
  described["bytes"] = container.file_size();
  described["sections"] = sections;
  return described;
}

}  // namespace

Monitor make_monitor(nb::object progress) {
  return Monitor([progress = std::move(progress)](uint64_t done, uint64_t total) {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(done, total);
    return true;
  });
}

void register_base(nb::module_& module) {
  nb::register_exception_translator(translate);

  nb::class_<ScratchSpace>(module, "ScratchSpace", "Files that hold what would take more memory than there should be.")
      .def(nb::init<std::string, size_t>(), nb::arg("folder"), nb::arg("limit_bytes"))
      .def_prop_ro("limit_bytes", &ScratchSpace::limit_bytes)
      .def_prop_ro("peak_bytes", &ScratchSpace::peak_bytes, "The most bytes that lay in files at once.");

  module.def("default_threads", &default_threads);
  module.def(
      "hash_bytes", [](const nb::bytes& data, uint64_t seed) { return hash_bytes(view(data), seed); }, nb::arg("data"),
      nb::arg("seed") = 0, "XXH64 of some bytes.");
  module.def(
      "require_text", [](const nb::bytes& text, uint64_t first_line) { require_text(view(text), first_line); },
      nb::arg("text"), nb::arg("first_line") = 1, "Raises InputError unless the bytes are UTF-8 text without NUL.");

  module.def(
      "describe_container",
      [](const std::string& path, bool trust) {
        nb::gil_scoped_release release;
        Container container = Container::open_any(path, trust_of(trust));
        nb::gil_scoped_acquire acquire;
        return describe(container);
      },
      nb::arg("path"), nb::arg("trust") = false,
      "Kind, size and sections of a .bin file, after checking its hashes unless trusted.");
  module.def("return_large_blocks", &return_large_blocks,
             "From now on this process gives large blocks back to the system at once when they are freed.");
}

}  // namespace dragoman::bind
