/** What an importer takes from a bank's statement in OFX 1.0.2. */
export type ImportedStatement = {
  readonly header: Readonly<Record<string, string>>
  readonly balance: string
  readonly lines: readonly Readonly<Record<string, string>>[]
}

/** Reads OFX as importers do: a header of names and values, then elements in SGML. Throws where elements are not closed in order. */
export const readOfx = (bytes: Buffer): ImportedStatement => {
  const [head, body] = bytes.toString('latin1').split('\r\n\r\n', 2)
  const header = Object.fromEntries(head!.split('\r\n').map((line) => line.split(':', 2)))
  const open: string[] = []
  const leaves: { readonly path: string; readonly value: string }[] = []
  let text = ''
  for (const [, closes, name, value] of body!.matchAll(/<(\/?)([A-Z0-9.]+)>([^<]*)/g)) {
    if (closes === '') open.push(name!)
    else {
      if (open.at(-1) !== name) throw new Error(`</${name}> closes ${open.join(' ')}`)
      if (text.trim() !== '') leaves.push({ path: open.join(' '), value: unescaped(text) })
      open.pop()
    }
    text = closes === '' ? value! : ''
  }
  if (open.length > 0) throw new Error(`${open.join(' ')} is open at the end`)
  const list = 'OFX BANKMSGSRSV1 STMTTRNRS STMTRS'
  const lines: Record<string, string>[] = []
  for (const { path, value } of leaves) {
    const name = path.split(`${list} BANKTRANLIST STMTTRN `)[1]
    if (name === 'TRNTYPE') lines.push({})
    if (name !== undefined) lines.at(-1)![name] = value
  }
  const balance = leaves.find(({ path }) => path === `${list} LEDGERBAL BALAMT`)!.value
  return { header, balance, lines }
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
