// SPDX-License-Identifier: MIT

package let serviceInterfaceName = "org.varlink.service"

/// The interface that every Varlink service has, as `GetInterfaceDescription` returns it.
package let serviceInterface = """
    # What every Varlink service answers: who it is, and which interfaces it has.
    interface org.varlink.service

    # Who answers on this socket.
    method GetInfo() -> (
      # Who makes the service.
      vendor: string,
      # The name of the service.
      product: string,
      version: string,
      # Where to read about it.
      url: string,
      # The names of all its interfaces, this one among them.
      interfaces: []string
    )

    # The description of one interface, in the language in which this text is written.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no interface of this name.
    error InterfaceNotFound (interface: string)

    # The interface has no method of this name.
    error MethodNotFound (method: string)

    # The interface declares the method, but this service cannot do it.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown, or not of the declared type.
    error InvalidParameter (parameter: string)

    # The method exists, but not for this client.
    error PermissionDenied ()

    # The method replies more than once, so it must be called with "more".
    error ExpectedMore ()

    """
