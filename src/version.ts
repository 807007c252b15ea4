/** The version of the interface, as the documents and `/health` show it. */
export const VERSION = '0.1.0'
