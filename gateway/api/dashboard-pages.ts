import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { type Coded, codedFor } from './encoding.ts'
import type { OpenPage } from './open-pages.ts'
import { answerWith } from './own-page.ts'
import { reportPath } from './violation-report.ts'

/** Where the build puts the dashboard: beside the compiled code, both in the repository and in the package. */
const builtFolder = join(import.meta.dirname, '../dashboard')

/**
 * Serves the dashboard: one HTML page at `/painel` and everything below it, since the browser finds the page that an address
 * names, and its scripts and styles, whose paths change with their content. Null where it was not built.
 */
export const openDashboard = (
  folder: string = builtFolder,
): ((request: Pick<HttpRequest, 'path' | 'headers'>) => OpenPage) | null => {
  const manifestPath = join(folder, 'manifest.json')
  if (!existsSync(manifestPath)) return null
  const entries = JSON.parse(readFileSync(manifestPath, 'utf8')) as Entries
  const page = pageWith(entries)
  const assets = new Map<string, Asset>()
  /** Reads an asset, which the build has packed, on its first request. */
  const assetAt = (name: string): Asset | null => {
    if (!/^[\w-]+\.[A-Z0-9]{8}\.(js|css)$/.test(name) || !existsSync(join(folder, name))) return null
    const read = (suffix: string) => readFileSync(join(folder, `${name}${suffix}`))
    const plain = read('')
    const asset = {
      type: name.endsWith('.js') ? script : style,
      coded: { br: read('.br'), gzip: read('.gz'), plain: () => plain },
    }
    assets.set(name, asset)
    return asset
  }
  const secured = (response: HttpResponse): HttpResponse => ({
    ...response,
    headers: {
      ...response.headers,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
    },
  })
  const html = secured(answer('text/html; charset=utf-8', page, 'no-store'))
  const absent = { ...secured(answer('text/plain; charset=utf-8', 'Not found\n', 'no-store')), status: 404 }

  return ({ path, headers }) => {
    if (path !== '/painel' && !path.startsWith('/painel/')) return null
    if (!path.startsWith(assetsPath)) return html
    const name = path.slice(assetsPath.length)
    const asset = assets.get(name) ?? assetAt(name)
    if (asset === null) return absent
    return codedFor(headers['accept-encoding'], asset.coded, (body) =>
      secured(answer(asset.type, body, 'public, max-age=31536000, immutable')),
    )
  }
}

const assetsPath = '/painel/assets/'
const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

type Asset = { readonly type: string; readonly coded: Coded }

/** The file name of each entry point, and the scripts of the first page, which a browser may load side by side. */
type Entries = Readonly<Record<'main.tsx' | 'theme.ts' | 'styles.css', string>> & {
  readonly first: readonly string[]
}

/** Strings cannot become scripts: browsers that support Trusted Types refuse it and report it. */
const answer = answerWith({
  'img-src': "'self' data: blob:",
  'form-action': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
  'report-uri': reportPath,
})

const pageWith = (entries: Entries): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f6f2">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0e1211">
<title>Painel</title>
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<script src="${assetsPath}${entries['theme.ts']}"></script>
<link rel="stylesheet" href="${assetsPath}${entries['styles.css']}">
<script type="module" src="${assetsPath}${entries['main.tsx']}"></script>
${entries.first.map((name) => `<link rel="modulepreload" href="${assetsPath}${name}">`).join('\n')}
</head>
<body>
<noscript>
<main class="plain-page">
<h1>O painel precisa de JavaScript</h1>
<p>Ative o JavaScript deste navegador para este endereço e recarregue a página. A <a href="/docs/pt">documentação</a> e a API funcionam sem ele.</p>
<p lang="en">The dashboard needs JavaScript: turn it on for this address, and reload. The <a href="/docs/en">documentation</a> and the API work without it.</p>
</main>
</noscript>
<div id="app"></div>
</body>
</html>
`
