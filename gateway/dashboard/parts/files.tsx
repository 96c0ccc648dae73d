import { useId } from 'preact/hooks'
import { count } from '../core/format.ts'
import { t } from '../core/language.ts'
import { Button } from './basics.tsx'

/** The size that a request has left beside a long text. */
const bytesMax = 30 * 1024
const filesMax = 3

/** Whether the files exceed the number or size that a request may carry. */
export const filesTooBig = (files: readonly File[]): boolean =>
  files.length > filesMax || files.reduce((sum, { size }) => sum + size, 0) > bytesMax

type FileListProps = {
  files: readonly File[]
  onChange: (files: readonly File[]) => void
  error: string | null
}

/** The evidence files of a dispute, with buttons to remove each and to add more. */
export const FileList = ({ files, onChange, error }: FileListProps) => {
  const id = useId()
  return (
    <div class="field">
      {files.length > 0 && (
        <ul class="files">
          {files.map((file) => (
            <li key={`${file.name} ${file.lastModified}`}>
              {file.name} ({count(Math.ceil(file.size / 1024))} KB){' '}
              <Button onClick={() => onChange(files.filter((other) => other !== file))}>
                {t.disputes.removeFile(file.name)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {files.length < filesMax && (
        <label class="button plain file-button">
          {t.disputes.addFile}
          <input
            type="file"
            multiple
            class="visually-hidden"
            accept="application/pdf,image/png,image/jpeg"
            aria-describedby={id}
            onChange={(event) => {
              onChange([...files, ...(event.currentTarget.files ?? [])].slice(0, filesMax))
              event.currentTarget.value = ''
            }}
          />
        </label>
      )}
      <p id={id} class={error === null ? 'hint' : 'field-error'}>
        {t.disputes.filesHint}
      </p>
    </div>
  )
}

/** A file in base64, as requests carry it. */
export const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
