package procgroup
