import type { AccountFactOf } from '../../../ledger/account.ts'
import type { AccountPart } from '../../../ledger/account-part.ts'
import type { MedId, TransactionId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'

declare module '../../../ledger/account.ts' {
  interface AccountParts {
    /** Open MEDs that have less than their amount blocked, the oldest first. Missing while there are none. */
    readonly shortMeds?: readonly ShortMed[] | undefined
  }
  interface AccountPartFacts {
    readonly pix: MedShortageChanged
  }
}

export type ShortMed = {
  readonly medId: MedId
  readonly transactionId: TransactionId
  /** The amount still to be blocked for the MED. */
  readonly missingCents: Cents
}

/** The amount still to be blocked for a MED; 0 when all of it is blocked, or the MED is closed. */
export type MedShortageChanged = AccountFactOf<'MedShortageChanged'> & ShortMed

/** The MEDs that wait for money, so that every credit finds them at once. */
export const pixAccountPart: AccountPart<'pix'> = {
  opened: {},
  cleared: () => ({ shortMeds: undefined }),
  evolve: {
    MedShortageChanged: (account, { medId, transactionId, missingCents }) => {
      const before = account.shortMeds ?? []
      const known = before.findIndex((short) => short.medId === medId)
      const shortMeds = [...before]
      shortMeds.splice(
        known === -1 ? before.length : known,
        known === -1 ? 0 : 1,
        ...(missingCents > 0 ? [{ medId, transactionId, missingCents }] : []),
      )
      return { ...account, shortMeds: shortMeds.length > 0 ? shortMeds : undefined }
    },
  },
}
