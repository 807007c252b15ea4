import type { Context } from 'hono'

import type { AppEnv } from '../../../api/http/app-env.ts'
import type { OwnerItem } from '../shell/items.ts'
import {
  type Visit,
  approversPasskeys,
  formerApprovers,
  ownersPasskeys,
  part,
  shellOf,
} from '../shell/load.ts'
import type { Part } from '../shell/shell.ts'
import { type SettingsPart, type SettingsView, ownerSettingsPage } from './page.ts'

type Shown = Partial<Pick<SettingsView, 'refused' | 'findings'>>

/** A part of the settings; after a form that was refused, or after a check, with what came of it. */
export const showSettings =
  (shown: SettingsPart) =>
  async (c: Context<AppEnv>, visit: Visit, { refused, findings }: Shown = {}): Promise<string> => {
    const { access, alertHost } = c.var.services
    const [shell, all, known, invitations] = await Promise.all([
      shellOf(c, '/owner/settings', visit),
      part(() => access.owner.passkeys()),
      part(() => access.owner.approvers()),
      part(() => access.owner.invitations()),
    ])
    const passkeys = all === 'unread' ? all : ownersPasskeys(all)
    const approvers: Part<OwnerItem[]> =
      all === 'unread' || known === 'unread'
        ? 'unread'
        : [...approversPasskeys(all), ...formerApprovers(known)]
    const people = { passkeys, approvers, invitations }
    return ownerSettingsPage({ shell, part: shown, ...people, refused, findings, alertHost })
  }
