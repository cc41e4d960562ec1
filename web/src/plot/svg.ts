// Small parts of SVG that saved pictures are made of. Text from inputs is escaped here and nowhere else.

export function escape(text: string): string {
  // Control characters are not allowed in XML at all.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd')
    .replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

export function document(width: number, height: number, dark: boolean, inner: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">` +
    `<rect width="100%" height="100%" fill="${dark ? '#1a2029' : '#ffffff'}"/>${inner}</svg>\n`;
}
