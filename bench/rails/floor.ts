import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { open } from 'lmdb'
import { Pool } from 'undici'

/**
 * The least that a create over a bank can cost here: a request is parsed, its intent is on disk before the bank is asked, the bank's answer is on
 * disk before it is given. No rule of the domain, one company, one thread. Arguments: an empty folder, and the bank as JSON.
 */
const [path, bank] = [process.argv[2]!, JSON.parse(process.argv[3]!)]
const pool = new Pool(bank.url, {
  connections: 256,
  connect: { cert: bank.cert, key: bank.key, ca: bank.authority },
})
const journal = open<Buffer, number>({ path, encoding: 'binary', overlappingSync: false, cache: false })
let entries = 0

/** Resolves when an entry is on disk; those of one turn are one transaction. */
const recorded = (entry: object): Promise<unknown> =>
  journal.put(++entries, Buffer.from(JSON.stringify(entry), 'latin1'))

const create = async (body: string): Promise<string> => {
  const charge = JSON.parse(body)
  const txid = `bench${String(++entries).padStart(27, '0')}`
  await recorded({ ...charge, txid })
  const { statusCode, body: reply } = await pool.request({
    method: 'PUT',
    path: `/v2/cob/${txid}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      calendario: { expiracao: 3600 },
      valor: { original: '12.34' },
      chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    }),
  })
  if (statusCode !== 201) throw new Error(`the bank answers ${statusCode}`)
  const { pixCopiaECola: copyPaste } = JSON.parse(await reply.text())
  await recorded({ txid, copyPaste })
  return JSON.stringify({ ...charge, txid, copyPaste })
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () =>
    create(body).then(
      (answer) => response.writeHead(201, { 'content-type': 'application/json' }).end(answer),
      (error) => response.writeHead(500).end(String(error)),
    ),
  )
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
