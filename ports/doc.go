// Package ports holds the interfaces that the hexagon offers and needs, one a
// file, and no code.
//
// Driving ports (Runner, Catalog, Vault) are implemented by app and used by the
// adapters that people and programs talk to. Driven ports (Sandbox, Bridge,
// Source, Blobs, Validator, Clock, Entropy) are used by app and implemented by
// adapters; Bridge is the exception, made by app for each run and used by
// sandboxes. Preparer is what a Sandbox may be able to do besides.
// Each port's comment binds both sides, and each driven port has a contract
// suite in test/contract that every adapter passes.
package ports
