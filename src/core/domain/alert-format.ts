/** How alerts to the owner can be written. */
export const ALERT_FORMATS = ['json', 'ntfy', 'slack', 'teams'] as const

export type AlertFormat = (typeof ALERT_FORMATS)[number]
