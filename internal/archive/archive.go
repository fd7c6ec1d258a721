package archive
