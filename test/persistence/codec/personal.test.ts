import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { firstWrittenVersion } from '../../../engine/companies/directory.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { AnyFact } from '../../../engine/kernel/registry.ts'
import { forgottenCustomer } from '../../../engine/shared/customer.ts'
import { packBatch, unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { entryLayout, entryLayoutWith } from '../../../persistence/codec/entry.ts'
import {
  json,
  type Layout,
  list,
  nullable,
  number,
  type PersonalKeys,
  personal,
  record,
  text,
  withPersonalKeys,
} from '../../../persistence/codec/layout.ts'
import { Damaged } from '../../../persistence/disk/damage.ts'
import { everyKind } from './every-kind.ts'
import { entriesOf, everyRecorded, plain, type RecordedSealed, readFixture, statesOf } from './recorded.ts'

const key = { number: 70_001, bytes: randomBytes(32) }
const withKey: PersonalKeys<unknown> = {
  toSeal: () => key,
  toOpen: (number) => {
    if (number !== key.number) throw new Error(`key ${number} is not known`)
    return key.bytes
  },
}
const sealing = entryLayoutWith(withKey)

const read = <Value>(layout: Layout<Value>, batch: Buffer, count: number): readonly Value[] =>
  Array.from({ length: count }, (_, place) => unpackFromBatch(layout, batch, place))

t.test('every fact that is sealed comes back as it was', async (t) => {
  const entries = await everyKind()
  const batch = packBatch(sealing, entries)
  t.strictSame(plain(read(sealing, batch, entries.length)), plain(entries))
})

/** Where facts differ: `actor.type` and the members on the way. */
const pathsThatDiffer = (a: unknown, b: unknown, path: string, into: Set<string>): void => {
  if (JSON.stringify(a) === JSON.stringify(b)) return
  const areObjects = [a, b].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  if (!areObjects) return void into.add(path)
  const [one, other] = [a, b] as [Record<string, unknown>, Record<string, unknown>]
  for (const name of Object.keys(one)) pathsThatDiffer(one[name], other[name], `${path}.${name}`, into)
}

const payerMembers = ['document', 'documentType', 'name']
const ofPayer = (path: string): readonly string[] => payerMembers.map((name) => `${path}.payer.${name}`)

const forgottenMembers = [
  'checkoutSession.SessionOpened.session.customValues.size',
  'checkoutSession.SessionOpened.session.customer.email',
  'checkoutSession.SessionOpened.session.customer.name',
  'checkoutSession.TryStarted.customValues.tamanho ção',
  'checkoutSession.TryStarted.customer.document',
  'checkoutSession.TryStarted.customer.documentType',
  'checkoutSession.TryStarted.customer.email',
  'checkoutSession.TryStarted.customer.name',
  'checkoutSession.TryStarted.receiptEmail',
  'delivery.AttemptRecorded.outcome.responseSnippet',
  'delivery.DeliveryScheduled.delivery.body',
  'inboxNotice.NoticeReceived.notice.packed',
  'mandate.MandateOffered.mandate.customer.document',
  'mandate.MandateOffered.mandate.customer.documentType',
  'mandate.MandateOffered.mandate.customer.email',
  'mandate.MandateOffered.mandate.customer.name',
  'received.PixReceived.received.description',
  ...ofPayer('received.PixReceived.received'),
  ...ofPayer('suspense.SuspenseOpened.unmatched'),
  'transaction.ChargeCreated.charge.customer',
  'transaction.ChargeCreated.charge.means.card.holderName',
  ...ofPayer('transaction.ChargePaid.payment'),
  'transaction.ChargeSent.to',
  'transaction.ChargebackDisputed.text',
  'transaction.MedContested.files',
  'transaction.MedContested.text',
  'transaction.MedDefended.files',
  'transaction.MedDefended.text',
  'transaction.MedOpened.med.details',
  ...ofPayer('transaction.PaymentReturned.payment'),
  'transaction.TransactionSeeded.transaction.customer',
]

/** Facts with texts in members that the others leave empty. */
const withMoreTexts = (event: AnyFact): AnyFact => {
  const named = { ...forgottenCustomer, name: 'Ana Souza', email: 'ana@example.com' }
  if (event.type === 'SessionOpened')
    return { ...event, session: { ...event.session, customer: named, customValues: { size: 'XL' } } }
  if (event.type === 'AttemptRecorded')
    return { ...event, outcome: { ...event.outcome, responseSnippet: 'Ana Souza' } }
  if (event.type === 'TransactionSeeded')
    return { ...event, transaction: { ...event.transaction, customer: named } }
  if (event.type !== 'ChargeCreated' || !('card' in event.charge.means)) return event
  const means = { card: { ...event.charge.means.card, holderName: 'ANA SOUZA' } }
  return { ...event, charge: { ...event.charge, means } }
}

t.test('without the key these members read as forgotten, and all others as they were', async (t) => {
  const entries = (await everyKind()).map((entry) => ({
    ...entry,
    events: entry.events.map(withMoreTexts),
  }))
  const batch = packBatch(sealing, entries)
  const forgotten = read(entryLayout, batch, entries.length)
  const differing = new Set<string>()
  entries.forEach(({ events }, n) => {
    events.forEach((event, m) => {
      const other = forgotten[n]!.events[m]
      pathsThatDiffer(plain(event), plain(other), `${event.actor}.${event.type}`, differing)
    })
    const { events: _, ...others } = entries[n]!
    t.hasStrict(plain(forgotten[n]), plain(others))
  })
  t.strictSame([...differing].sort(), forgottenMembers)
  // Whatever is made of forgotten facts, and of the same ones read once more.
  t.strictSame(statesOf(forgotten), statesOf(read(entryLayout, batch, entries.length)))
  const again = packBatch(entryLayout, forgotten)
  t.strictSame(plain(read(entryLayout, again, entries.length)), plain(forgotten))
})

t.test('no personal text is in the bytes', async (t) => {
  const entries = await everyKind()
  const names = new Set(
    entries.flatMap(({ events }) =>
      events.flatMap((event) =>
        event.type === 'ChargeCreated' && event.charge.customer !== null ? [event.charge.customer.name] : [],
      ),
    ),
  )
  t.ok(names.size > 0)
  const inUse = new Set<string>(['customer', 'subscription', 'subscriber', 'invoice'])
  const charges = entries.map((entry) => ({
    ...entry,
    events: entry.events.filter(({ actor }) => !inUse.has(actor)),
  }))
  const [open, sealed] = [entryLayout, sealing].map((layout) => packBatch(layout, charges).toString('latin1'))
  for (const name of names) t.notOk(sealed!.includes(Buffer.from(name).toString('latin1')), name)
  t.ok([...names].some((name) => open!.includes(Buffer.from(name).toString('latin1'))))
})

t.test('bytes without a key are those of version 12', async (t) => {
  const recorded = everyRecorded().filter(([name]) => name.includes('-v12-'))
  t.ok(recorded.length > 0)
  for (const [name, own] of recorded) {
    const before = Buffer.from(own.batch, 'base64')
    t.equal(before[0], 12)
    const batch = packBatch(entryLayout, entriesOf(own), firstWrittenVersion)
    t.ok(batch.subarray(1).equals(before.subarray(1)), name)
  }
  const entries = await everyKind()
  const unused = entryLayoutWith({ ...withKey, toSeal: () => null })
  t.ok(packBatch(unused, entries).equals(packBatch(entryLayout, entries)))
})

t.test('what was sealed in version 13 means what it meant', (t) => {
  const recorded = readFixture('sealed-v13-payers.json.gz') as RecordedSealed
  const batch = Buffer.from(recorded.batch, 'base64')
  t.equal(batch[0], 13)
  const bytes = Buffer.from(recorded.key.base64, 'base64')
  const layout = entryLayoutWith({
    toSeal: () => null,
    toOpen: (number) => (number === recorded.key.number ? bytes : null),
  })
  const count = recorded.entries.length
  t.hasStrict(plain(read(layout, batch, count)), recorded.entries)
  const forgotten = read(entryLayout, batch, count)
  t.strictSame(Object.keys(statesOf(forgotten)), Object.keys(statesOf(read(layout, batch, count))))
  t.end()
})

t.test('entries of one batch are sealed with keys of their own, or with none', async (t) => {
  const entries = (await everyKind()).slice(0, 6)
  const other = { number: 2, bytes: randomBytes(32) }
  const layout = entryLayoutWith({
    toSeal: (entry) => [null, key, other][entries.indexOf(entry) % 3]!,
    toOpen: (number) => (number === other.number ? other.bytes : null),
  })
  const batch = packBatch(layout, entries)
  const forgotten = read(entryLayout, packBatch(sealing, entries), entries.length)
  read(layout, batch, entries.length).forEach((entry, n) => {
    t.strictSame(plain(entry), plain(n % 3 === 1 ? forgotten[n] : entries[n]))
  })
})

const aCharge = async (): Promise<Entry> =>
  (await everyKind()).find(({ events }) =>
    events.some((event) => event.type === 'ChargeCreated' && event.charge.customer !== null),
  )!

t.test('a key that is not known is no reason to forget', async (t) => {
  const batch = packBatch(entryLayoutWith({ ...withKey, toSeal: () => ({ ...key, number: 3 }) }), [
    await aCharge(),
  ])
  t.throws(() => unpackFromBatch(sealing, batch, 0), /key 3 is not known/)
})

t.test('a sealed part that is not what was sealed is damage', async (t) => {
  const batch = packBatch(sealing, [await aCharge()])
  const trouble = (change: (bytes: Buffer) => void): unknown => {
    const bytes = Buffer.from(batch)
    change(bytes)
    try {
      return unpackFromBatch(sealing, bytes, 0)
    } catch (error) {
      return error
    }
  }
  const inCiphertext = batch.length - 10
  t.type(
    trouble((bytes) => {
      bytes[inCiphertext]! ^= 1
    }),
    Damaged,
  )
  const wrong = { ...withKey, toOpen: () => randomBytes(32) }
  t.throws(() => unpackFromBatch(entryLayoutWith(wrong), batch, 0), /not what was sealed with key 70001/)
  for (const length of [0, 3, 0xffffffff])
    t.type(
      trouble((bytes) => bytes.writeUInt32LE(length, bytes.length - 4)),
      Error,
      'a length that leads elsewhere',
    )
  t.throws(() => unpackFromBatch(sealing, batch.subarray(0, -1), 0))
})

t.test('any texts, numbers and lists are sealed, and forgotten without a trace', (t) => {
  const inner = record({ name: text(), age: number(), tags: list(nullable(text())), any: json() })
  const layout = record({ id: text(), who: personal(inner, null as never), end: text() })
  const keyed = withPersonalKeys(layout, withKey)
  const anyText = fc.string({ unit: 'binary' })
  const who = fc.record({
    name: anyText,
    age: fc.integer(),
    tags: fc.array(fc.option(anyText)),
    any: fc.jsonValue({ stringUnit: 'binary' }),
  })
  fc.assert(
    fc.property(fc.record({ id: anyText, who, end: anyText }), (value) => {
      const batch = packBatch(keyed, [value])
      t.strictSame(plain(unpackFromBatch(keyed, batch, 0)), plain(value))
      t.strictSame(unpackFromBatch(layout, batch, 0), { ...value, who: null })
    }),
    { numRuns: 300 },
  )
  t.end()
})
