import { notePage } from '../../../../src/api/pages/layout.ts'
import { SCOPES, type Scope } from '../../../../src/core/domain/scopes.ts'
import { type ConfirmView, confirmPage } from '../../../../src/owner/access/pages/confirm.ts'
import {
  type ConsentQuestion,
  cannotConnectPage,
  consentPage,
  returnPage,
} from '../../../../src/owner/access/pages/consent.ts'
import {
  enrolPage,
  invitationPage,
  signInPage,
} from '../../../../src/owner/access/pages/sign-in.ts'

const PLACE = 'Harbor Tax & Books'
const NAMED = 'http://localhost:8787/owner'

const confirm = (more: Partial<ConfirmView> = {}): string =>
  confirmPage(PLACE, {
    act: {
      question: 'Allow all agents more?',
      changes: ['Largest payment link: $1,000.00.'],
      verb: 'Allow',
    },
    action: '/owner/rules',
    back: '/owner/settings',
    fields: [['caller', '*']],
    csrf: 'the-secret-of-the-form',
    ...more,
  })

const consent = (more: Partial<ConsentQuestion> = {}): string =>
  consentPage(PLACE, {
    name: 'Claude',
    document: undefined,
    publisher: undefined,
    redirectHost: 'claude.ai',
    isLoopback: false,
    scopes: Object.keys(SCOPES).map((scope, i) => ({ scope: scope as Scope, asked: i === 0 })),
    identities: [{ identity: 'owner:app_new' }],
    connections: [],
    handle: 'handle',
    csrf: 'the-secret-of-the-form',
    missing: undefined,
    ...more,
  })

/** Every page beside the console, on which someone signs in, proves something or lets an app in, with its address. */
export const BESIDE_PAGES: Record<string, { path: string; html: () => string }> = {
  'signing in': { path: '/owner', html: () => signInPage(PLACE, undefined, 'Sign in to decide.') },
  'signing in, at an address': { path: '/owner', html: () => signInPage(PLACE, NAMED, 'Sign in.') },
  enrolling: { path: '/owner/enrol', html: () => enrolPage(PLACE, undefined) },
  'an invitation that is opened': {
    path: '/owner/invitation',
    html: () => invitationPage(PLACE, NAMED),
  },
  'asking for a passkey': { path: '/owner/rules', html: () => confirm({ options: '{}' }) },
  'asking for a passkey, which was wrong': {
    path: '/owner/rules',
    html: () => confirm({ options: '{}', refused: 'wrong' }),
  },
  'asking for a passkey, or to decline first': {
    path: '/owner/rules',
    html: () => {
      const first = { value: 'K5SA', text: 'Decline them first' }
      const act = {
        question: 'Allow more?',
        changes: ['One change can then be made.'],
        verb: 'Allow',
        first,
      }
      return confirm({ options: '{}', act })
    },
  },
  'asking once more': { path: '/owner/keys/revoke', html: () => confirm() },
  'saying that nothing was changed': {
    path: '/owner/rules',
    html: () => notePage('Nothing was changed', PLACE, 'This did not come from a page of yours.'),
  },
  consent: { path: '/authorize', html: () => consent() },
  'consent, nothing ticked, to one of two': {
    path: '/authorize',
    html: () =>
      consent({
        identities: [
          { identity: 'owner:app_one', since: 'November 2, 2026' },
          { identity: 'owner:app_new' },
        ],
        connections: ['one', 'two'].map((grantId, i) => ({
          grantId,
          clientId: 'app',
          name: 'Claude (localhost)',
          scopes: ['availability:read'],
          since: 1_780_000_000_000,
          madeOn: '2026-05-28',
          lastUsedOn: i === 0 ? null : '2026-11-24',
        })),
        isLoopback: true,
        missing: 'scope',
      }),
  },
  'an app that cannot be connected': {
    path: '/authorize',
    html: () => cannotConnectPage(PLACE, 'https://claude.ai/callback?error=invalid_scope'),
  },
  'going back to the app': {
    path: '/authorize',
    // Its way back is left out, which a browser would go at once.
    html: () =>
      returnPage(PLACE, 'https://claude.ai/callback', 'claude.ai', true).replace(
        /<meta http-equiv[^>]*>/,
        '',
      ),
  },
}
