import { createApp } from './app.ts'

export { Audit } from '../durable-objects/audit.ts'
export { Client } from '../durable-objects/client.ts'
export { Confirmation } from '../durable-objects/confirmation.ts'
export { Credentials } from '../durable-objects/credentials.ts'
export { Desk } from '../durable-objects/desk.ts'
export { MockCalendar } from '../durable-objects/mock-calendar.ts'
export { Owner } from '../durable-objects/owner.ts'

/** The Worker: everything over HTTP is the app. */
export default createApp()
