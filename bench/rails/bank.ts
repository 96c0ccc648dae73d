import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { writeBrCode } from '../../test/rails/api-pix/br-code.ts'
import { createAuthority } from '../../test/rails/certificates.ts'

/**
 * A bank for benches, as a process of its own: it speaks as much of API Pix as a create takes, over TLS with certificates on both sides, answers
 * after a fixed time, and looks at nothing. A second port is that of a bank that has died: charges are never answered there.
 */
const waitMs = Number(process.argv[2] ?? 50)
const authority = createAuthority('Bank of the bench')
const clients = createAuthority('Clients of the bench')
const identity = authority.issue({ commonName: 'localhost', hosts: ['localhost', '127.0.0.1'] })

const emptyPage = (list: string): string =>
  JSON.stringify({
    parametros: {
      inicio: '2026-01-01T00:00:00.000Z',
      fim: '2026-01-02T00:00:00.000Z',
      paginacao: { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1, quantidadeTotalDeItens: 0 },
    },
    [list]: [],
  })

const token = JSON.stringify({ access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 })

const registered = (txid: string, text: string): string => {
  const { calendario, valor, chave } = JSON.parse(text)
  const location = `pix.bank.example/qr/v2/${txid}`
  return JSON.stringify({
    calendario: { ...calendario, criacao: new Date().toISOString() },
    txid,
    revisao: 0,
    location,
    status: 'ATIVA',
    valor,
    chave,
    pixCopiaECola: writeBrCode({ location, name: 'Loja do Bench', city: 'Sao Paulo' }),
  })
}

const open = (isDead: boolean): Promise<Server> => {
  const server = createServer(
    { cert: identity.cert, key: identity.key, ca: clients.cert, requestCert: true, keepAliveTimeout: 60_000 },
    (request, response) => {
      let text = ''
      request.on('data', (part) => {
        text += part
      })
      request.on('end', () => {
        const path = request.url!.split('?')[0]!
        const [, list] = /\/(\w+)$/.exec(path)!
        const say = (status: number, body: string): void => {
          response.writeHead(status, { 'content-type': 'application/json' }).end(body)
        }
        if (request.method === 'POST') say(200, token)
        else if (!path.includes('/cob/')) say(200, emptyPage(list === 'enviados' ? 'pix' : list!))
        else if (!isDead) setTimeout(() => say(201, registered(list!, text)), waitMs)
      })
    },
  )
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

const urlOf = (server: Server): string => `https://localhost:${(server.address() as AddressInfo).port}`
const [alive, dead] = await Promise.all([open(false), open(true)])
const client = clients.issue({ commonName: 'client of the bench' })
console.log(JSON.stringify({ url: urlOf(alive), deadUrl: urlOf(dead), authority: authority.cert, ...client }))
