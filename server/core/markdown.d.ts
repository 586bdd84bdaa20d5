/** The bundler gives a Markdown file as its text. */
declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: this is the form the bundler gives a text file.
  export default text;
}
