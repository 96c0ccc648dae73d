import t from 'tap'
import { modules } from '../../../../gateway/providers/modules.ts'
import type { Fetched, ProviderAsk, ProviderOutcome } from '../../../../gateway/providers/port.ts'
import { simulatedProfiles } from '../../../rails/api-pix/profiles/index.ts'
import { complaintsAbout, type Subject } from '../contract.ts'
import type { BankConnection } from './bank-connection.ts'
import { type Change, subjectOver } from './subject.ts'

const asking =
  (
    change: (outcome: ProviderOutcome, ask: ProviderAsk, connection: BankConnection) => ProviderOutcome,
  ): Change =>
  (connection) => ({
    ask: async (ask) => change(await connection.instance.ask(ask), ask, connection),
  })

const fetching =
  (change: (fetched: Fetched) => Fetched): Change =>
  ({ instance }) => ({ fetch: async (notice) => change(await instance.fetch!(notice)) })

/** Small changes of an adapter that passes; the contract has to say in words what is wrong with each. */
const flaws: readonly (readonly [
  part: Part,
  title: string,
  bank: string,
  change: Change,
  complaint: RegExp,
])[] = [
  [
    'ASKS',
    'takes a return that is under way for done',
    'itau',
    asking((outcome, { reference, amountCents }) =>
      outcome.type === 'PENDING' && outcome.evidence?.kind === 'PIX'
        ? { type: 'DONE', echo: { reference, amountCents, payee: null }, evidence: outcome.evidence }
        : outcome,
    ),
    /does not leave REFUND .* open: DONE/,
  ],
  [
    'ASKS',
    'takes a used id for a refusal',
    'efi',
    ({ instance }) => ({
      ask: async (ask) => {
        const outcome = await instance.ask(ask)
        return ask.asked > 0 && ask.operation === 'REGISTER' ? refusal : outcome
      },
      inquire: async () => ({ type: 'NOT_FOUND' }),
    }),
    /answers REGISTER .* otherwise when asked again/,
  ],
  [
    'ASKS',
    'registers another amount than it echoes',
    'itau',
    ({ instance }) => ({
      ask: async (ask) => {
        if (ask.operation !== 'REGISTER') return instance.ask(ask)
        const outcome = await instance.ask({ ...ask, amountCents: (ask.amountCents + 1) as never })
        return outcome.type === 'DONE'
          ? { ...outcome, echo: { ...outcome.echo, amountCents: ask.amountCents } }
          : outcome
      },
    }),
    /moved 1235 of 1234/,
  ],
  [
    'ASKS',
    'sends a PIX anew under another id when the answer was lost',
    'efi',
    ({ instance }) => ({
      ask: (ask) =>
        instance.ask(
          ask.operation === 'PAY_OUT' && ask.asked > 0 ? { ...ask, reference: `X${ask.reference}` } : ask,
        ),
      inquire: (ask) =>
        ask.operation === 'PAY_OUT' ? Promise.resolve({ type: 'NOT_FOUND' }) : instance.inquire(ask),
    }),
    /PAY_OUT .* moved 1400 of \d+ altogether after CUT_AFTER/,
  ],
  [
    'ASKS',
    'shows another code each time',
    'sicoob',
    asking((outcome, _, { bank }) =>
      outcome.type === 'DONE' && outcome.evidence?.kind === 'PIX_CHARGE'
        ? { ...outcome, evidence: { ...outcome.evidence, location: String(bank.server.requests().length) } }
        : outcome,
    ),
    /answers REGISTER .* otherwise when asked again/,
  ],
  [
    'ASKS',
    'keeps to itself that the bank removed a charge',
    'inter',
    ({ instance }) => ({
      inquire: async (ask) => {
        const found = await instance.inquire(ask)
        return found.type === 'UNDONE' ? { type: 'PENDING', againInMs: null, evidence: null } : found
      },
    }),
    /says PENDING of REGISTER .*, which it took back by itself/,
  ],
  [
    'NOTICES',
    'rejects notices that it cannot read',
    'itau',
    () => ({ readNotice: ({ body }) => JSON.parse(Buffer.from(body).toString()).pix }),
    /rejects a notice/,
  ],
  [
    'NOTICES',
    'calls one notice by two keys',
    'itau',
    ({ instance, bank }) => {
      let times = 0
      return {
        readNotice: (raw) =>
          instance.readNotice!(raw).map((notice) => ({ ...notice, key: `${bank.clock.nowMs()}${++times}` })),
      }
    },
    /reads one notice in two ways/,
  ],
  [
    'NOTICES',
    'believes a notice instead of fetching',
    'itau',
    ({ bank }) => ({
      fetch: async ({ data }) => ({
        type: 'FOUND',
        object: {
          kind: 'PIX',
          txid: null,
          pixKey: null,
          componentsCents: null,
          paidAtMs: bank.clock.nowMs(),
          payer: null,
          returns: [],
          endToEndId: '',
          amountCents: 0 as never,
          ...data,
        } as never,
      }),
    }),
    /says FOUND of a PIX that never was/,
  ],
  [
    'NOTICES',
    'takes silence for absence',
    'itau',
    fetching((fetched) => (fetched.type === 'SILENT' ? { type: 'NOT_FOUND' } : fetched)),
    /says NOT_FOUND of .* when nothing comes back/,
  ],
  [
    'NOTICES',
    'reads another amount',
    'itau',
    fetching((fetched) =>
      fetched.type === 'FOUND' && fetched.object.kind === 'PIX'
        ? { type: 'FOUND', object: { ...fetched.object, amountCents: 1 as never } }
        : fetched,
    ),
    /does not fetch what/,
  ],
  [
    'NOTICES',
    'moves its cursor past what it could not read',
    'itau',
    ({ instance }) => ({
      poll: async function* (cursor, untilMs) {
        yield* instance.poll!(cursor, untilMs)
        yield { notices: [], cursor: `from=0;pix=${untilMs + 600_000};hour=${untilMs};day=${untilMs}` }
      },
    }),
    /does not find .*, which was not reported/,
  ],
  [
    'NOTICES',
    'registers no address',
    'efi',
    () => ({ registerHooks: async () => ({ works: false, detail: 'no', certificateEndsAtMs: null }) }),
    /does not register its address: no/,
  ],
]

const refusal: ProviderOutcome = {
  type: 'REFUSED',
  refusal: {
    reason: 'PROVIDER_ERROR',
    message: 'used',
    network: null,
    provider: null,
    retryOn: 'NONE',
    stepUp: false,
    attempt: null,
  },
}

/** One half of the contract, which is enough to find a flaw of it. */
type Part = 'ASKS' | 'NOTICES'

const partOf = (part: Part, { reports, ...subject }: Subject): Subject =>
  part === 'ASKS'
    ? subject
    : { ...subject, does: [], refuses: [], leavesOpen: [], wire: null, reports: reports! }

for (const [part, title, bank, change, complaint] of flaws)
  t.test(`an adapter that ${title} does not pass`, async (t) => {
    const complaints = await complaintsAbout(
      partOf(
        part,
        await subjectOver(t, { module: modules[bank]!, profile: simulatedProfiles[bank]! }, change),
      ),
    )
    t.match(complaints.filter((line) => complaint.test(line)).slice(0, 1), [complaint], complaints.join('\n'))
  })
