/**
 * The two names of each large bank: its code of three digits, and its ISPB, eight characters in the payment
 * system. For any other bank only the name that was given is known.
 */
const banks: readonly (readonly [code: string, ispb: string])[] = [
  ['001', '00000000'],
  ['033', '90400888'],
  ['077', '00416968'],
  ['104', '00360305'],
  ['208', '30306294'],
  ['237', '60746948'],
  ['260', '18236120'],
  ['290', '08561701'],
  ['323', '10573521'],
  ['336', '31872495'],
  ['341', '60701190'],
  ['380', '22896431'],
  ['422', '58160789'],
  ['748', '01181521'],
  ['756', '02038232'],
]

/** A bank by either of its names. */
export type BankNames =
  | { readonly bankCode: string; readonly ispb?: never }
  | { readonly ispb: string; readonly bankCode?: never }

/**
 * The one name by which a bank is compared: its code where it is known, else its ISPB. The keys of payees have it, in
 * snapshots too, so adding a bank above gives another key to payees that are known by its ISPB alone.
 */
export const nameOfBank = ({ bankCode, ispb }: Names): string | null =>
  bankCode ?? (ispb === null ? null : (bankOf({ ispb }).bankCode ?? ispb))

type Names = { readonly bankCode: string | null; readonly ispb: string | null }

/** Both names of a bank; null for one that is unknown. A listed bank gives the same pair for either name. */
export const bankOf = ({ bankCode, ispb }: BankNames): Names => {
  const found = banks.find(([code, own]) => code === bankCode || own === ispb)
  return found === undefined
    ? { bankCode: bankCode ?? null, ispb: ispb ?? null }
    : { bankCode: found[0], ispb: found[1] }
}
