/** BR Codes as a bank writes and a payer's app reads them. The service has a reader of its own: neither knows the other. */
export type BrCodeFields = {
  readonly location?: string
  readonly recurrenceLocation?: string
  readonly chave?: string
  readonly valor?: string
  readonly txid?: string
  readonly name: string
  readonly city: string
}

/** Writes a BR Code: of a charge by its location, of a mandate by another, or of both. */
export const writeBrCode = (of: BrCodeFields): string => {
  const gui = field('00', 'br.gov.bcb.pix')
  const account =
    of.location === undefined
      ? of.chave === undefined
        ? ''
        : field('01', of.chave)
      : field('25', of.location)
  const body = [
    field('00', '01'),
    ...(of.location === undefined ? [] : [field('01', '12')]),
    field('26', gui + account),
    field('52', '0000'),
    field('53', '986'),
    ...(of.valor === undefined ? [] : [field('54', of.valor)]),
    field('58', 'BR'),
    field('59', plain(of.name, 25)),
    field('60', plain(of.city, 15)),
    field('62', field('05', of.txid ?? '***')),
    ...(of.recurrenceLocation === undefined ? [] : [field('80', gui + field('25', of.recurrenceLocation))]),
    '6304',
  ].join('')
  return body + crc16(body)
}

/** Reads a BR Code; throws where a payer's app would refuse it. */
export const readBrCode = (code: string): BrCodeFields => {
  if (code.length < 8 || code.slice(-8, -4) !== '6304') throw new Error('BR Code without its check')
  if (crc16(code.slice(0, -4)) !== code.slice(-4).toUpperCase()) throw new Error('BR Code with a wrong check')
  const fields = pieces(code)
  const demand = (id: string): string => {
    const value = fields.get(id)
    if (value === undefined) throw new Error(`BR Code without field ${id}`)
    return value
  }
  if (demand('00') !== '01') throw new Error('BR Code of another format')
  if (demand('53') !== '986') throw new Error('BR Code of another currency')
  if (demand('58') !== 'BR') throw new Error('BR Code of another country')
  demand('52')
  const account = pieces(demand('26'))
  if (account.get('00')?.toLowerCase() !== 'br.gov.bcb.pix') throw new Error('code is not of PIX')
  const location = account.get('25')
  const chave = account.get('01')
  if (location?.includes('://')) throw new Error('location with a scheme')
  if (location !== undefined && chave !== undefined) throw new Error('BR Code with location and key')
  const recurrence = fields.get('80')
  const recurrenceLocation = recurrence === undefined ? undefined : pieces(recurrence).get('25')
  const txid = pieces(demand('62')).get('05')
  const valor = fields.get('54')
  return {
    name: demand('59'),
    city: demand('60'),
    ...(location === undefined ? {} : { location }),
    ...(chave === undefined ? {} : { chave }),
    ...(recurrenceLocation === undefined ? {} : { recurrenceLocation }),
    // Apps ignore the amount and the txid of a code that has a location.
    ...(valor === undefined || location !== undefined ? {} : { valor }),
    ...(txid === undefined || txid === '***' || location !== undefined ? {} : { txid }),
  }
}

const field = (id: string, value: string): string => {
  if (value.length > 99) throw new Error(`field ${id} is too long`)
  return `${id}${String(value.length).padStart(2, '0')}${value}`
}

const pieces = (text: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    const [, id, size] = /^(\d{2})(\d{2})/.exec(text.slice(at, at + 4)) ?? []
    if (id === undefined || at + 4 + Number(size) > text.length)
      throw new Error('fields of a BR Code do not fit')
    if (found.has(id)) throw new Error(`field ${id} is there twice`)
    found.set(id, text.slice(at + 4, at + 4 + Number(size)))
    at += 4 + Number(size)
  }
  return found
}

const plain = (text: string, max: number): string =>
  text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, max)

const crc16 = (text: string): string => {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
