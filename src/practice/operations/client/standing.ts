import { Problem } from '../../../core/domain/problem/problem.ts'
import { RULES_TIMEOUT_MS, askedChange, refusalBy } from '../../../core/domain/rules/house-rules.ts'
import { TRIAL_CALLER, TRIAL_GRANTS } from '../../../core/domain/trial.ts'
import type { Standing } from '../../../core/ports/access.ts'
import type { AccessServices, ChangeServices, Ports } from '../../../core/ports/services.ts'
import { withTimeout } from '../../../core/with-timeout.ts'
import { type KeptLink, inviteClient, partsOfLink } from '../invite-client.ts'

/**
 * What the maker of a link may do now; undefined where the link ends with its maker's access, or
 * with a rule by which a person has to approve what it does. Raises `paused`, and `house_rule` where the
 * maker may make no such change now. Nothing is asked of a provider before this has answered.
 */
export async function standingOfMaker(
  link: KeptLink,
  {
    access,
    trialKeyHash,
    houseRules,
    practice,
    now,
  }: Pick<
    Ports & AccessServices & ChangeServices,
    'access' | 'trialKeyHash' | 'houseRules' | 'practice' | 'now'
  >,
): Promise<Standing | undefined> {
  const { made_by, ask, approved } = link
  const seen = houseRules.lastCopyOf(made_by)
  const [sets, standing] = await Promise.all([
    // A commit waits for the rules of that moment.
    withTimeout(
      houseRules.copyOf(made_by).catch(() => seen),
      RULES_TIMEOUT_MS,
    ),
    made_by === TRIAL_CALLER ? standingOfTrial(trialKeyHash) : access.standingOf(made_by),
  ])
  const facts = { made_by, parts: partsOfLink(ask), link_approved: approved }
  const change = askedChange('', 'complete_client_link', facts, 'maker')
  const applied = (sets === 'late' ? seen : sets).map((set) => ({ ...set, changesToday: 0 }))
  const refusal = refusalBy(applied, change, now(), practice.timezone)
  if (refusal && refusal.rule?.name !== 'approval') throw new Problem(refusal)
  if (refusal || !standing?.scopes.includes(inviteClient.scope)) return undefined
  return standing
}

/** What the key of a trial may do; undefined where there is no trial any more. */
const standingOfTrial = (keyHash: string | undefined): Standing | undefined =>
  keyHash === undefined ? undefined : { scopes: TRIAL_GRANTS }
