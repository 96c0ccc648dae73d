import Type from 'typebox'
import type { ProviderReply } from '../http/http.ts'
import type { ProviderHealth } from '../port.ts'
import type { BankCall, BankClient } from './client.ts'
import { waits, within } from './deadline.ts'
import { hasShape } from './shape.ts'
import { verdictOf } from './verdict.ts'

const HookShown = Type.Object({ webhookUrl: Type.String() })

/**
 * Registers our address for notices where it is not, or no longer: a bank may take it away (rails, section 2.1). Efí probes it meanwhile, once without
 * the bank's certificate and once with it.
 */
export const registerBankHooks = async (client: BankClient, address: string): Promise<ProviderHealth> => {
  const { settings } = client
  const kinds: readonly (readonly [string, BankCall['path']])[] = [
    ['pix', ['webhook', settings.pixKey]],
    ...(settings.pixAutomatic === true
      ? ([
          ['rec', ['webhookrec']],
          ['cobr', ['webhookcobr']],
        ] as const)
      : []),
  ]
  const problems: string[] = []
  for (const [kind, path] of kinds) {
    const problem = await registerAt(client, path, addressFor(client, address, kind))
    if (problem !== null) problems.push(`${kind}: ${problem}`)
  }
  return {
    works: problems.length === 0,
    detail: problems.length === 0 ? null : problems.join('; '),
    certificateEndsAtMs: client.certificateEndsAtMs(),
  }
}

/** A bank that appends the kind is given the address without it. */
const addressFor = ({ profile }: BankClient, address: string, kind: string): string => {
  const base = address.replace(/\/$/, '')
  return profile.hook.appendsPath ? base : `${base}/${kind}`
}

const registerAt = async (
  client: BankClient,
  path: BankCall['path'],
  webhookUrl: string,
): Promise<string | null> => {
  const call = (one: BankCall): Promise<ProviderReply> =>
    within(client.io, waits.backgroundMs, (deadline) => client.call(one, deadline))
  const standing = verdictOf(await call({ verb: 'GET', path }))
  if (standing.type === 'OK' && hasShape(HookShown, standing.body) && standing.body.webhookUrl === webhookUrl)
    return null
  const { headers } = client.profile.hook
  const verdict = verdictOf(await call({ verb: 'PUT', path, body: { webhookUrl }, headers }))
  if (verdict.type === 'OK') return null
  return 'problem' in verdict ? verdict.problem.text : 'the bank did not answer'
}
