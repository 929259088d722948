"""The sandbox's own tests. They use nothing of the sandbox but its command line and its listeners;
`test_memory` alone looks inside."""
