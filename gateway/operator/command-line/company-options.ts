import { InvalidArgumentError } from 'commander'

/** Groups command-line options into the input of an operation: the parts of an address and of fees belong together. */
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

/** Groups the options of the portal, and those of the limits of cards. */
export const brandingInput = (options: Readonly<Record<string, unknown>>): object => {
  const { portalCancel: cancel, portalChangeCard: changeCard, portalChangePlan, ...others } = options
  const { cardsPerSession, cardsPerAddress, cardsPerNetwork, cardsPerBin, cardDeclines, ...texts } = others
  const portal = given({ cancel, changeCard, changePlan: portalChangePlan })
  const cardLimits = given({
    perSession: cardsPerSession,
    perAddress: cardsPerAddress,
    perNetwork: cardsPerNetwork,
    perBin: cardsPerBin,
    declinesPerHour: cardDeclines,
  })
  return { ...texts, ...(portal !== null && { portal }), ...(cardLimits !== null && { cardLimits }) }
}

/** The members that are defined; null if none is. */
const given = (members: Readonly<Record<string, unknown>>): object | null => {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** Reads `VISA=319/399/459`, with debit as an optional fourth rate. The option can be repeated for other brands. */
export const cardFee = (text: string, others: object = {}): object => {
  const [, brand, credit, debit] = /^([A-Za-z]+)=([0-9]+\/[0-9]+\/[0-9]+)(?:\/([0-9]+))?$/.exec(text) ?? []
  if (brand === undefined) throw new InvalidArgumentError('Write VISA=319/399/459 or VISA=319/399/459/199.')
  const rates = { credit: credit!.split('/'), ...(debit !== undefined && { debit }) }
  return { ...others, [brand.toUpperCase()]: rates }
}
