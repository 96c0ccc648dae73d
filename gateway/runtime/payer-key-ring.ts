import type { Directory } from '../../engine/companies/directory.ts'
import { type PayerKey, yearOf, yearStartMs } from '../../engine/companies/payer-key.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import { type AccountId, accountIdOf, companyIdOf } from '../../engine/shared/ids.ts'
import type { PersonalKeys } from '../../persistence/codec/layout.ts'
import type { PersonalKey } from '../../persistence/codec/sealed-part.ts'
import { unsealPayerKey } from '../operations/account/payer-keys.ts'

export type PayerKeyRing = PersonalKeys<Entry> & {
  /** Up to which instant what was recorded about payers is forgotten, for every account of which anything is. */
  readonly forgotten: () => ReadonlyMap<AccountId, number>
  /** Every key by its number, null for those that were destroyed, but without those that an earlier call with this set gave. */
  readonly news: (given: WeakSet<PayerKey>) => ReadonlyMap<number, Uint8Array | null>
}

/** The keys that entries are sealed and opened with, as the directory has them at each moment. */
export const payerKeyRing = (
  directory: Pick<Directory, 'companies' | 'payerKeys'>,
  masterKey: Uint8Array,
): PayerKeyRing => {
  const { companies, payerKeys } = directory
  const wrappingKey = Buffer.from(masterKey)
  /** A destroyed key is another object, so the one that it was is not found any more. */
  const unsealed = new WeakMap<PayerKey, Uint8Array>()
  const inUse = new Map<AccountId, KeyInUse>()

  const bytesOf = (key: PayerKey): Uint8Array | null => {
    const { sealedKey } = key
    if (sealedKey === null) return null
    const known = unsealed.get(key)
    if (known !== undefined) return known
    const bytes = unsealPayerKey({ ...key, sealedKey }, wrappingKey)
    unsealed.set(key, bytes)
    return bytes
  }

  const keyFor = (accountId: AccountId, year: number): PersonalKey | null => {
    for (const key of payerKeys.values()) {
      if (key.year !== year || key.companyId !== companyIdOf(accountId)) continue
      const bytes = bytesOf(key)
      return bytes && { number: key.number, bytes }
    }
    return null
  }

  return {
    toSeal: ({ accountId, atMs }) => {
      if (payerKeys.size === 0) return null
      if ((companies.get(companyIdOf(accountId))?.forgetPayersAfterYears ?? null) === null) return null
      const known = inUse.get(accountId)
      if (known !== undefined && atMs >= known.fromMs && atMs < known.toMs) return known.key
      const year = yearOf(atMs)
      const key = keyFor(accountId, year)
      if (key !== null) inUse.set(accountId, { key, fromMs: yearStartMs(year), toMs: yearStartMs(year + 1) })
      return key
    },
    toOpen: (number) => {
      const key = payerKeys.get(number)
      if (key === undefined) throw new Error(`this node does not know key ${number} of payers yet`)
      return bytesOf(key)
    },
    forgotten: () => {
      const untilMs = new Map<AccountId, number>()
      for (const { sealedKey, companyId, year } of payerKeys.values()) {
        if (sealedKey !== null) continue
        for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
          const accountId = accountIdOf(companyId, environment)
          untilMs.set(accountId, Math.max(untilMs.get(accountId) ?? 0, yearStartMs(year + 1)))
        }
      }
      return untilMs
    },
    news: (given) => {
      const news = new Map<number, Uint8Array | null>()
      for (const key of payerKeys.values()) {
        if (given.has(key)) continue
        given.add(key)
        news.set(key.number, bytesOf(key))
      }
      return news
    },
  }
}

/** The key of an account for what is recorded from one instant to before another. */
type KeyInUse = { readonly key: PersonalKey; readonly fromMs: number; readonly toMs: number }
