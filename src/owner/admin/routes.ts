import type { App } from '../../api/http/app-env.ts'
import { addEndpoints } from '../../api/openapi/endpoint.ts'
import { accessReview } from './access-review.ts'
import { AUDIT_ENDPOINTS } from './audit.ts'
import { CLIENT_ENDPOINTS } from './clients.ts'
import { examineInstallation, registerProviderWebhooks } from './health.ts'
import { KEY_ENDPOINTS } from './keys.ts'
import { whoAmI } from './me.ts'
import { RULES_ENDPOINTS } from './rules.ts'
import { UNRESOLVED_ENDPOINTS } from './unresolved.ts'

export function addAdminRoutes(app: App) {
  addEndpoints(app, [
    ...UNRESOLVED_ENDPOINTS,
    whoAmI,
    ...KEY_ENDPOINTS,
    ...RULES_ENDPOINTS,
    ...CLIENT_ENDPOINTS,
    examineInstallation,
    registerProviderWebhooks,
    accessReview,
    ...AUDIT_ENDPOINTS,
  ])
}
