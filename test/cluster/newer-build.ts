import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codecVersion } from '../../persistence/codec/layout.ts'
import type { Scope } from '../e2e/service.ts'

/** The version that the newer build reads and writes. */
export const newerVersion = codecVersion + 1

/** What the newer build stores in the new field of a charge, and shows as its description. */
export const campaignOf = (externalId: string): string => `campaign of ${externalId}`

/** Charges whose externalId begins with this are marked by a new kind of fact. */
export const markedPrefix = 'mark-'

/**
 * A program of the build that comes next, made of the compiled one: charges have a field more, which shows, and a new
 * kind of fact follows some of them. Ends with the test.
 */
export const makeNewerBuild = (t: Scope): string => {
  const compiled = resolve(import.meta.dirname, '../../gateway')
  // Beside the program that it is made of: pages and packages are found from there.
  const folder = mkdtempSync(join(compiled, 'newer-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(compiled, 'program'), folder, { recursive: true })
  for (const kind of ['command', 'service']) rmSync(join(folder, `${kind}.cache`), { force: true })
  const program = join(folder, 'program.js')
  const source = changes.reduce(changed, readFileSync(program, 'latin1'))
  writeFileSync(program, source, 'latin1')
  return join(folder, 'main.js')
}

type Change = { readonly place: RegExp; readonly by: string }

/** Names in a bundle may end with a number. */
const changes: readonly Change[] = [
  { place: /codecVersion = \d+;/, by: `codecVersion = ${newerVersion};` },
  {
    place:
      /customer: (personal\d*\((nullable\d*)\(customerLayout\d*\), null\)),(\s+customerId: nullable\d*\((text\d*)\(\)\),\s+subscriptionId: [^\n]+\s+invoiceId: [^\n]+\s+attempt: [^\n]+\s+split: [^\n]+\s+providerId: [^\n]+\s+means: meansLayout\d*,\s+currency: (since\d*)\(5, [^\n]+\))/,
    by: `customer: $1,$3, campaign: $5(${newerVersion}, $2($4()), null)`,
  },
  {
    place: /(ChargeExpired: \[6, \{ \.\.\.(factHead\d*), callId: \w+ \}\],)/,
    by: `$1 ChargeMarked: [99, $2, { since: ${newerVersion} }],`,
  },
  {
    place: /(type: "ChargeCreated",\s+id: fact[\s\S]{0,200}?charge: \{)/,
    by: "$1 campaign: command.details.externalId && 'campaign of ' + command.details.externalId,",
  },
  {
    place: /details: (charge\d*)\.details,(\s+customer: charge\d*\.customer,)/,
    by: 'details: $1.campaign === null ? $1.details : { ...$1.details, description: $1.campaign },$2',
  },
  {
    place: /(ChargeExpired: \(transaction\d*, event\d*\) => (nextVersion\d*)\()/,
    by: 'ChargeMarked: (transaction, event) => $2(transaction, event, {}), $1',
  },
  { place: /(RefundRequested: null,\s+RefundCompleted:)/, by: 'ChargeMarked: null, $1' },
  {
    place:
      /if \((route\d*) === null \|\| !(decision\d*)\.accepted\)\s+return (addDecided\d*)\(draft, void 0, \2\);/,
    by: `if ($1 === null || !$2.accepted) {
        const refusal = $3(draft, undefined, $2);
        if (refusal !== null || !command.details.externalId?.startsWith('${markedPrefix}')) return refusal;
        const marked = { type: 'ChargeMarked', ...chargeContext.fact };
        return $3(draft, draft.find('transaction', command.transactionId), { accepted: true, events: [marked] });
      }`,
  },
]

const changed = (source: string, { place, by }: Change): string => {
  const found = source.match(new RegExp(place, 'g'))?.length ?? 0
  if (found !== 1) throw new Error(`the program has ${found} places like ${place}`)
  return source.replace(place, by)
}
