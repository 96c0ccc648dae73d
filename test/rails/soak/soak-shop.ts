import type { Call } from '../../e2e/service.ts'
import type { Shop } from '../live-service.ts'
import type { Dice } from './dice.ts'

/** A shop of a soak, with what it has done so far. */
export type SoakShop = Shop & {
  readonly dice: Dice
  /** Asks as the person of the company does. */
  readonly sign: Call
  /** Asks as another person of it does. */
  readonly colleague: Call
  readonly beneficiaryId: string
  /** A rule that divides payments with a recipient; null where the bank sends nothing. */
  readonly splitRuleId: string | null
  readonly planIds: readonly string[]
  readonly charges: { readonly id: string; readonly txid: string }[]
  readonly subscriptions: string[]
  /** Charges of another program at the same account of the bank. */
  readonly foreign: Set<string>
}

/** One of a shop's things, at random; undefined where there is none. */
export const anyOf = <Item>({ dice }: Pick<SoakShop, 'dice'>, items: readonly Item[]): Item | undefined =>
  items.length === 0 ? undefined : items[dice.below(items.length)]

/** Has a payer, or a person at the bank, do something that the bank may refuse. */
export const atBank = (
  { bank }: Pick<SoakShop, 'bank'>,
  control: string,
  body: object,
  what: string,
): Promise<string> =>
  bank.hold(control, body).then(
    () => what,
    () => `${what} refused`,
  )
