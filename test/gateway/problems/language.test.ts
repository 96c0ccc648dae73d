import t from 'tap'
import { languageOf } from '../../../gateway/problems/language.ts'
import { preferredImage } from '../../../gateway/routes/image-type.ts'

t.test('the language is the one that the header prefers, English where it names none of ours', async (t) => {
  const wanted: readonly [string | undefined, string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['pt-BR', 'pt'],
    ['PT-br', 'pt'],
    ['pt', 'pt'],
    ['pt-PT', 'pt'],
    ['en-US', 'en'],
    ['de, fr;q=0.5', 'en'],
    ['de, pt;q=0.1', 'pt'],
    ['pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7', 'pt'],
    ['en-US,en;q=0.9,pt-BR;q=0.8', 'en'],
    ['en;q=0.5, pt-BR;q=0.9', 'pt'],
    ['pt-BR;q=0.9, en', 'en'],
    ['pt-BR, en', 'pt'],
    ['en, pt-BR', 'en'],
    ['pt-BR;q=0', 'en'],
    ['en;q=0, *', 'pt'],
    ['en;q=0', 'en'],
    // The more specific range decides: everything but Brazil's Portuguese.
    ['pt-BR;q=0, pt, en;q=0.1', 'en'],
    ['*;q=0.9, pt;q=0.2', 'en'],
    ['*;q=0.2, pt;q=0.9', 'pt'],
    // Weights that are none count as not acceptable (RFC 9110, section 12.4.2).
    ['pt;q=2, en;q=0.1', 'en'],
    ['pt;q=x', 'en'],
    [' pt-BR ; q=0.8 , en ; q=0.2 ', 'pt'],
    ['ptolemaic', 'en'],
    [`${'xx,'.repeat(5000)}pt`, 'en'],
  ]
  for (const [header, language] of wanted) t.equal(languageOf(header), language, `${header}`.slice(0, 60))
})

t.test('an image is a PNG unless SVG is preferred', async (t) => {
  const wanted: readonly [string | undefined, string][] = [
    [undefined, 'image/png'],
    ['*/*', 'image/png'],
    ['image/*', 'image/png'],
    ['application/json', 'image/png'],
    ['image/svg+xml', 'image/svg+xml'],
    ['image/svg+xml, */*;q=0.1', 'image/svg+xml'],
    ['image/png;q=0.5, image/svg+xml', 'image/svg+xml'],
    ['image/svg+xml;q=0.5, image/png', 'image/png'],
    ['image/png;q=0, image/*', 'image/svg+xml'],
  ]
  for (const [header, type] of wanted) t.equal(preferredImage(header), type, `${header}`)
})
