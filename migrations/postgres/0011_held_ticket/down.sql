DROP INDEX ticket_held;
