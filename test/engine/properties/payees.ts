import type { Command } from '../../../engine/kernel/registry.ts'
import type { AccountId, BeneficiaryId, ChangeId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'

export const sender = { kind: 'PERSON', id: 'per_ana' } as const
export const approver = { kind: 'PERSON', id: 'per_bia' } as const

const idOf = (n: number) => `ben_${String(n).padStart(26, '0')}` as BeneficiaryId
export const payee = idOf(1)
export const nowhere = idOf(2)

/** What may be withdrawn in a day, in reais. */
export const cryptoDayCents = 10_000

/** What every story begins with: an approval policy and a limit for the small sums of stories, and two payees, one of them at a bank that is not there. */
export const payeeCommands = (accountId: AccountId): readonly Command[] => [
  {
    type: 'SetControls',
    accountId,
    by: approver,
    wanted: {
      thresholdCents: toCents(4_000),
      newBeneficiaryCents: toCents(2_000),
      cryptoDayCents: toCents(cryptoDayCents),
    },
    idOfChange: `chg_${'1'.padStart(26, '0')}` as ChangeId,
    hasApprover: true,
  },
  ...[payee, nowhere].map(
    (beneficiaryId): Command => ({
      type: 'RegisterBeneficiary',
      accountId,
      by: sender,
      beneficiaryId,
      of: {
        payee: {
          name: 'Comercial Aurora Ltda',
          document: '11222333000181',
          documentType: 'CNPJ',
          pixKey: null,
          ispb: null,
          bankName: null,
          bankCode: beneficiaryId === payee ? '341' : '000',
          branch: '1',
          account: '1',
          accountType: 'CHECKING',
        },
      },
      nickname: null,
    }),
  ),
]
