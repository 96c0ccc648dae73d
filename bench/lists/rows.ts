import { cpfOf } from '../charge-body.ts'
import { integerBetween, newRandom, type Random } from '../random.ts'

/** A transaction of a company that has existed for some years, as both sides store it. */
export type SeedRow = {
  readonly method: 'PIX' | 'CREDIT_CARD' | 'BOLETO'
  readonly status: 'PENDING' | 'APPROVED' | 'EXPIRED' | 'CANCELLED' | 'REFUNDED' | 'CHARGEBACK'
  readonly amountCents: number
  readonly createdAtMs: number
  readonly externalId: string
  readonly customer: { readonly name: string; readonly document: string; readonly email: string }
}

const yearMs = 365 * 86_400_000
/** The number of people who pay in a year, most of them more than once. */
const payers = 50_000

type History = {
  readonly years: number
  /** Draws the number of the person who pays. */
  readonly payerOf: (random: Random) => number
}

/** The same seed gives the same rows, oldest first, ending at `endMs`. */
export const seedRows = function* (
  count: number,
  seed: number,
  endMs: number,
  { years, payerOf }: History = { years: 1, payerOf: oneOfAll(Math.min(payers, Math.ceil(count / 4))) },
): Generator<SeedRow> {
  const random = newRandom(seed)
  for (let n = 0; n < count; n++) {
    const method = weighted(random, methods)
    const status = weighted(random, statuses)
    yield {
      method,
      // Only the bank of a card takes money back that way.
      status: status === 'CHARGEBACK' && method !== 'CREDIT_CARD' ? 'APPROVED' : status,
      amountCents: integerBetween(random, 100, 500_000),
      createdAtMs: Math.floor(endMs - years * yearMs + (n * years * yearMs) / count),
      externalId: `pedido-${n}`,
      customer: person(payerOf(random)),
    }
  }
}

const methods = [
  ['PIX', 70],
  ['CREDIT_CARD', 20],
  ['BOLETO', 10],
] as const
const statuses = [
  ['APPROVED', 67],
  ['PENDING', 10],
  ['EXPIRED', 14],
  ['CANCELLED', 5],
  ['REFUNDED', 3],
  ['CHARGEBACK', 1],
] as const

const oneOfAll =
  (people: number) =>
  (random: Random): number =>
    integerBetween(random, 0, people - 1)

/** The same number is always the same person: so many people need no memory. */
const person = (n: number): SeedRow['customer'] => ({
  name: `${firstNames[n % firstNames.length]} ${lastNames[(n >>> 3) % lastNames.length]} ${n}`,
  document: cpfOf(1 + ((n * 7_919) % 111_111_110)),
  email: `pessoa${n}@example.com`,
})

const firstNames = ['Ana', 'Beatriz', 'Caio', 'Débora', 'João']
const lastNames = ['Almeida', 'Souza', 'Gonçalves', 'Lima']

/** One of the words, as often as its percentage says. */
const weighted = <Word extends string>(random: Random, words: readonly (readonly [Word, number])[]): Word => {
  let left = random() * 100
  for (const [word, weight] of words) {
    left -= weight
    if (left < 0) return word
  }
  return words[0]![0]
}

/** A filter of a list, as the service's query and as the peer's condition. */
export type ListFilter = { readonly title: string; readonly query: string; readonly where: string }

/** The filters that a dashboard uses. */
export const listFilters = (endMs: number): readonly ListFilter[] => {
  const day = (daysBack: number) => new Date(endMs - daysBack * 86_400_000).toISOString().slice(0, 10)
  return [
    {
      title: 'status and method',
      query: 'status=APPROVED&method=PIX',
      where: `status = 'APPROVED' AND method = 'PIX'`,
    },
    { title: 'no filter', query: '', where: 'true' },
    {
      title: 'a quarter, approved',
      query: `status=APPROVED&from=${day(180)}&to=${day(90)}`,
      where: `status = 'APPROVED' AND created_at >= '${day(180)}T03:00:00Z' AND created_at < '${day(89)}T03:00:00Z'`,
    },
    {
      title: 'amounts of a card',
      query: 'method=CREDIT_CARD&minAmount=100000&maxAmount=200000',
      where: `method = 'CREDIT_CARD' AND amount BETWEEN 100000 AND 200000`,
    },
    {
      title: 'one payer by e-mail',
      query: 'q=pessoa77@example.com',
      where: `(email ILIKE '%pessoa77@example.com%' OR name ILIKE '%pessoa77@example.com%')`,
    },
  ]
}
