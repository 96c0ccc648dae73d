export const bankAccountTypes = ['CHECKING', 'SAVINGS', 'PAYMENT'] as const
export type BankAccountType = (typeof bankAccountTypes)[number]
