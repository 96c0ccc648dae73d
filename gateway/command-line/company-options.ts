import { InvalidArgumentError } from 'commander'

/** Options of the command line as operations take them: those of an address and of fees belong together. */
export const companyInput = (options: Readonly<Record<string, unknown>>): object => {
  const { street, number, complement, district, addressCity, state, zip, address, ...others } = options
  const { pixFee, boletoFee, cardFee: cards, ...plain } = others
  const parts = given({ street, number, complement, district, city: addressCity, state, zip })
  const fees = given({ pixBps: pixFee, boletoAmount: boletoFee, cards })
  return {
    ...plain,
    ...(parts !== null && { address: parts }),
    // `--no-address`
    ...(address === false && { address: null }),
    ...(fees !== null && { fees }),
  }
}

/** Without what is undefined; null where that is all. */
const given = (members: Readonly<Record<string, unknown>>): object | null => {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** `VISA=319/399/459`, and a fourth rate for debit where that changes, too; the option may be given for several brands. */
export const cardFee = (text: string, others: object = {}): object => {
  const [, brand, credit, debit] = /^([A-Za-z]+)=([0-9]+\/[0-9]+\/[0-9]+)(?:\/([0-9]+))?$/.exec(text) ?? []
  if (brand === undefined) throw new InvalidArgumentError('Write VISA=319/399/459 or VISA=319/399/459/199.')
  const rates = { credit: credit!.split('/'), ...(debit !== undefined && { debit }) }
  return { ...others, [brand.toUpperCase()]: rates }
}
